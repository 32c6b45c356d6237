/** Bytes of a picture, somewhat below the limit of the server. */
const MOST_BYTES = 880_000;
const MOST_PIXELS = 2400;

/**
 * Reads a picture that a person chose, and scales it down until the server takes it. An SVG becomes pixels here, so that
 * nothing in it can ever run. Returns `{blob, width, height}`; throws where it is no picture.
 */
export async function readPicture(file) {
  const image = await decode(file);
  const whole = Math.max(image.naturalWidth || 1000, image.naturalHeight || 1000);
  const vector = file.type === 'image/svg+xml';
  for (let size = vector ? MOST_PIXELS : Math.min(whole, MOST_PIXELS); size >= 200; size = Math.floor(size * 0.8)) {
    const scale = size / whole;
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round((image.naturalWidth || 1000) * scale));
    canvas.height = Math.max(1, Math.round((image.naturalHeight || 1000) * scale));
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    for (const [type, quality] of [['image/png'], ['image/webp', 0.9], ['image/jpeg', 0.85]]) {
      const blob = await new Promise((resolve) => { canvas.toBlob(resolve, type, quality); });
      if (blob && blob.type === type && blob.size <= MOST_BYTES) return { blob, width: canvas.width, height: canvas.height };
    }
  }
  throw new Error('too large');
}

async function decode(file) {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}
