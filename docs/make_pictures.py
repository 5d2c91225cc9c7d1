"""Make the pictures of the docs: the demo's audit, and the judging app as it is served.

Run by hand, where Chromium and the extras `all` and `test` are installed:

    python docs/make_pictures.py

It builds the demo collection in a temporary folder, serves it, and uses it as people do.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

FOLDER = Path(__file__).with_name("pictures")
_BROWSERS = ("chromium", "google-chrome", "chromium-headless-shell")
COLOURS = 256  # of a palette: with fewer, marks lose their colour
WIDE = {"width": 1280, "height": 800}
PASSWORD = "for the pictures only"  # noqa: S105 - of accounts that live as long as this script
TOPIC = "P17"
JUDGED = 11
SHOWN = "place => Number(document.getElementById('main').dataset.shown) === place"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    chromium = next(filter(None, map(shutil.which, _BROWSERS)), None)
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        campaign = Path(temporary) / "qrelsmith-demo"
        qrelsmith("demo", campaign, "--quiet")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        picture_report(browser, campaign)
        runs = sorted((campaign / "runs").iterdir())
        qrelsmith("pool", *runs, "--depth", "10", "-o", f"{campaign / 'pools'}/")
        with served(campaign) as (url, admin):
            picture_app(browser, campaign, url, admin)
        browser.close()
    for path in sorted(FOLDER.glob("*.png")):
        print(f"{path.stat().st_size:>8,}  {path.name}")


def picture_report(browser: Browser, campaign: Path) -> None:
    """The summary of the audit, and one of its sections."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((campaign / "audit" / "audit.html").as_uri())
    keep(page, "audit")
    figure = page.locator("#figure-ranks-ndcg-10")
    page.evaluate(
        "element => { element.closest('details').open = true; element.scrollIntoView(); }",
        figure.element_handle(),
    )
    keep(figure, "audit-rankings")
    page.close()


def picture_app(browser: Browser, campaign: Path, url: str, admin: str) -> None:
    """The judging page in the middle of a topic, and what the organiser sees of it."""
    invite = ("invite", campaign, "--role", "assessor", "--assessor", "gold-1", "--url", url)
    page = signed_up(browser, qrelsmith(*invite).strip(), "anne")
    page.click("text=keep log file from growing forever")
    page.wait_for_function(SHOWN, arg=1)
    grades = {
        doc: grade
        for topic, _, doc, grade in map(
            str.split, (campaign / "qrels" / "gold.qrels").read_text("utf-8").splitlines()
        )
        if topic == TOPIC
    }
    pool = (campaign / "pools" / "prioritised-10.pool").read_text("utf-8").splitlines()
    docs = [line.split()[1] for line in pool if line.startswith(f"{TOPIC} ")]
    for place, doc in enumerate(docs[:JUDGED], start=2):
        page.wait_for_timeout(600)  # nobody judges a doc within a blink
        page.keyboard.press(grades[doc])
        page.wait_for_function(SHOWN, arg=place)
    page.keyboard.press("t")  # the narrative
    page.wait_for_selector("#sending[data-kind=saved]")
    keep(page, "judging")
    page.close()
    page = signed_up(browser, admin, "olga")
    page.goto(f"{url}/organiser/")
    keep(page, "organiser")
    page.close()


def signed_up(browser: Browser, link: str, name: str) -> Page:
    """A page of somebody who came by an invite."""
    page = browser.new_context(viewport=WIDE, locale="en-GB").new_page()
    page.goto(link)
    page.fill("#login", name)
    page.fill("#password", PASSWORD)
    page.fill("#again", PASSWORD)
    page.click("button.first")
    page.wait_for_load_state()
    return page


def keep(shown: Page | Locator, name: str) -> None:
    """A picture of what is on the screen, as a small PNG with a palette."""
    time.sleep(0.4)
    picture = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
    small = picture.quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(FOLDER / f"{name}.png", optimize=True)


@contextmanager
def served(campaign: Path) -> Iterator[tuple[str, str]]:
    """The app of a campaign: its address, and the link for the admin."""
    command = [sys.executable, "-m", "qrelsmith", "serve", campaign, "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None  # noqa: S101 - it was asked for
            admin = server.stdout.readline().split(": ", 1)[1].strip()
            yield server.stdout.readline().removeprefix("Listening at ").strip(), admin
        finally:
            server.terminate()


def qrelsmith(*words: str | Path) -> str:
    """What a command prints."""
    command = [sys.executable, "-m", "qrelsmith", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
