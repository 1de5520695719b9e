"""Calls a Helm plugin in a real Extism host: the message comes on standard input, the answer goes to standard output.

A failure of the plugin is written to standard error as the host words it, and ends the run with 1.
"""

import sys

import extism


def main() -> int:
    with open(sys.argv[1], "rb") as file:
        # Helm turns WASI on, and gives no memory limit.
        plugin = extism.Plugin(file.read(), wasi=True)
    try:
        answer = plugin.call("helm_plugin_main", sys.stdin.buffer.read())
    except extism.Error as error:
        sys.stderr.write(str(error))
        return 1
    sys.stdout.buffer.write(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
