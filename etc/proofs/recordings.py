"""Where the labelled recordings of real homes lie, and evaluate_rooms.py, which reads and scores them."""
import importlib.util, os

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
SHARED = os.environ.get('WHEREABOUTS_SHARED', os.path.join(ROOT, '..', 'shared'))


def evaluator():
    """evaluate_rooms.py as a module."""
    spec = importlib.util.spec_from_file_location('evaluate_rooms', os.path.join(SHARED, 'tools', 'evaluate_rooms.py'))
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool
