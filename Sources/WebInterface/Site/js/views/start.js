import { api } from '../api.js';
import { forInstaller } from '../components/installer.js';
import { h, icon, reconcile, replace } from '../dom.js';
import { isPerson, itemName, roomName } from '../house.js';
import { formatShare, t } from '../i18n.js';
import { go, link } from '../router.js';
import { throttled } from '../scope.js';
import { store } from '../store.js';

/** Milliseconds for which the first answer is shown before the live view follows. */
const GO_ON = 2500;

/** First steps: from a house without a node and an item to the first answer. Each step ticks itself off. */
export function view(scope) {
  const steps = h('ol.steps');
  const element = h('div.page.narrow', {}, h('h1', {}, t('start.title')), h('p.hint', {}, t('start.intro')), steps);
  // Whoever waits here for the first answer is led to it.
  let waits = null;
  let timer = 0;
  const refresh = throttled(500, () => {
    const list = stepsNow();
    const isFound = list.some((step) => step.name === 'answer' && step.done);
    if (waits && isFound) timer ||= setTimeout(() => go('live'), GO_ON);
    if (store.complete) waits ??= !isFound;
    const current = list.find((step) => !step.done);
    reconcile(steps, list, (step) => step.name, () => h('li.step', {}, h('span.step-sign', { 'aria-hidden': 'true' }), h('div')), (element, step) => {
      const digest = JSON.stringify([step.done, step.text, step === current]);
      if (element.dataset.digest === digest) return;
      element.dataset.digest = digest;
      element.className = step.done ? 'step done' : step === current ? 'step current' : 'step';
      if (step === current) element.setAttribute('aria-current', 'step');
      else element.removeAttribute('aria-current');
      replace(element.firstChild, step.done ? icon('check') : String(list.indexOf(step) + 1));
      replace(element.lastChild, h('h2', {}, t(`start.${step.name}`)), h('p', { role: step === current ? 'status' : null }, step.text), step === current ? step.help() : null);
    });
  });
  scope.add(store.watch((changes) => { if (changes.items.size || changes.nodes.size || changes.fusers.size || changes.house) refresh(); }));
  scope.add(() => clearTimeout(timer));
  refresh();
  return { element };
}

function stepsNow() {
  const fuser = [...store.fusers.values()].find((candidate) => candidate.claim?.state === 'serving');
  const nodes = [...store.nodes.values()].filter((node) => node.status === 'online');
  const item = [...store.items.values()].find((record) => record.config);
  const found = [...store.items.values()].find((record) => record.location?.room && !isPerson(record.id));
  const node = nodes[0]?.id ?? 'kitchen';
  return [
    { name: 'fuser', done: Boolean(fuser), text: fuser ? t('start.fuser.done', { name: fuser.id }) : t('start.fuser.wait'), help: () => [h('p.hint', {}, t('installer.ask')), forInstaller([command('whereabouts-fuser --config /etc/whereabouts/fuser.yaml')])] },
    { name: 'node', done: nodes.length > 0, text: nodes.length ? t('start.node.done', { names: nodes.slice(0, 5).map((entry) => entry.id).join(', ') }) : t('start.node.wait'),
      help: () => [h('p.hint', {}, t('start.node.plain')), forInstaller([h('div', {}, h('p.hint', {}, t('start.node.how')), command("printf '%s\\n' 'node: kitchen' 'source: hci:auto' 'mqtt: {url: mqtt://broker.lan}' \\\n  'state: /var/lib/whereabouts/agent.sqlite' > /etc/whereabouts/agent.yaml\nsystemctl enable --now whereabouts-agent"), h('p.hint', {}, t('start.node.trouble')), command('whereabouts doctor'))])] },
    { name: 'item', done: Boolean(item), text: item ? t('start.item.done', { name: itemName(item.id) }) : t('start.item.wait'),
      // Who may not add it here does so in a terminal.
      help: () => api.mayWrite
        ? h('div.buttons', {}, h('a.button.primary', { href: link('enrol') }, icon('nodes'), t('nav.enrol')), h('a.button', { href: link('items', '+') }, icon('plus'), t('start.item.form')))
        : [h('p.hint', {}, t('start.item.how', { node })), command(`whereabouts items add keys --name Keys --nearest ${node}`)] },
    { name: 'answer', done: Boolean(found), text: found ? t('start.answer.done', { name: itemName(found.id), room: roomName(found.location.room), share: formatShare(found.location.confidence ?? 0) }) : t('start.answer.wait'),
      help: () => h('p.hint', {}, t('start.answer.how')) },
    { name: 'next', done: false, text: t('start.next.text'), help: () => h('div.buttons', {}, h('a.button.primary', { href: link('live') }, icon('live'), t('nav.live')), h('a.button', { href: link('teach') }, icon('teach'), t('nav.teach'))) },
  ];
}

function command(text) {
  return h('pre.command', { tabindex: '0' }, h('code', {}, text));
}
