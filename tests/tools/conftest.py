"""Leave out the tool that needs the extra for browsers, where that is not installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("playwright") else ["table_times.py"]
