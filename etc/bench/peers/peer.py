"""One peer of the decoding benchmark: peer.py LIBRARY FILE.

FILE has one HCI event a line, in hexadecimal. For each line `go N` on standard input the events are decoded N times over;
the answer is nanoseconds of processor time an event.
"""
import sys
import time


def bluetooth_data_tools(events):
    """AD structures to a tuple with the manufacturer data; no event is parsed, no iBeacon field is read.

    It takes advertising data, so that the slice out of the event is the caller's work.
    """
    from bluetooth_data_tools import parse_advertisement_data_bytes as parse

    for event in events[:4]:
        assert parse(event[14:-1])[3][0x004C][:2] == b"\x02\x15"

    def run(times):
        for _ in range(times):
            for event in events:
                parse(event[14:-1])

    return run


def bleparser(events):
    """The whole HCI packet to two dictionaries, iBeacon fields and address as text among them."""
    import logging

    from bleparser import BleParser

    logging.disable(logging.CRITICAL)
    parser = BleParser(discovery=True, filter_duplicates=False)
    packets = [b"\x04" + event for event in events]
    for packet in packets[:4]:
        assert parser.parse_raw_data(packet)[0]["type"] == "iBeacon"

    def run(times):
        parse = parser.parse_raw_data
        for _ in range(times):
            for packet in packets:
                parse(packet)

    return run


def main():
    library, path = sys.argv[1:]
    with open(path) as file:
        events = [bytes.fromhex(line) for line in file]
    run = {"bluetooth-data-tools": bluetooth_data_tools, "bleparser": bleparser}[library](events)
    for line in sys.stdin:
        times = int(line.split()[1])
        begin = time.process_time_ns()
        run(times)
        print((time.process_time_ns() - begin) / (times * len(events)), flush=True)


main()
