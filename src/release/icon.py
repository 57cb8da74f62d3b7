#!/usr/bin/env python3
"""Converts the page's icon.svg to icon.ico in the folder of this script: icon.py [CHROMIUM]."""

import pathlib
import struct
import subprocess
import sys
import tempfile

SIZES = [16, 32, 48, 256]
HERE = pathlib.Path(__file__).resolve().parent


def picture(browser, size, folder):
    """Returns the icon as a PNG file with `size` pixels on each side."""
    drawing = (HERE.parent / "web/page/icon.svg").read_text(encoding="utf-8")
    page, png = folder / "page.html", folder / f"{size}.png"
    style = f"html,body{{margin:0}}svg{{display:block;width:{size}px;height:{size}px}}"
    page.write_text(f"<!doctype html><style>{style}</style>{drawing}", encoding="utf-8")
    arguments = ["--headless", "--no-sandbox", "--hide-scrollbars", "--force-device-scale-factor=1"]
    arguments += ["--default-background-color=00000000", f"--window-size={size},{size}"]
    subprocess.run([browser, *arguments, f"--screenshot={png}", page.as_uri()], check=True)
    return png.read_bytes()


def main():
    browser = sys.argv[1] if len(sys.argv) > 1 else "chromium"
    with tempfile.TemporaryDirectory() as folder:
        pictures = [picture(browser, size, pathlib.Path(folder)) for size in SIZES]
    # A header, an entry for each picture (256 is written as the byte 0), and the pictures.
    header, place = struct.pack("<3H", 0, 1, len(SIZES)), 6 + 16 * len(SIZES)
    for size, png in zip(SIZES, pictures):
        header += struct.pack("<4B2H2I", size % 256, size % 256, 0, 0, 1, 32, len(png), place)
        place += len(png)
    (HERE / "icon.ico").write_bytes(header + b"".join(pictures))


main()
