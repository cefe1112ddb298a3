"""What can be seen of a page to be wrong with it, by our own looks and by axe-core's."""

import importlib.util
import os
import pathlib

LOOKS = (pathlib.Path(__file__).parent / "looks.js").read_text(encoding="utf-8")

# Each width and each theme; what is wrong with a pair of them is wrong with one of the two. All pairs
# for who wants to look at their pictures.
PAIRS = [(1280, "light"), (390, "dark")]
if os.environ.get("FIELDSTONE_ROUNDS") == "all":
    PAIRS += [(1280, "dark"), (390, "light")]

LAYOUT = ["sideways", "small", "touch", "overlapping", "cut", "broken"]
ACCESS = ["structure", "contrast"]


def faults(window, names):
    """What the looks of these names find wrong, as sentences."""
    return window.script(
        f"const looks = {LOOKS.strip()};"
        "return arguments[0].flatMap((name) => looks[name]())", names)


def axe_source():
    """The source of axe-core; nil where it could not be installed."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or not found.submodule_search_locations:
        return None
    file = pathlib.Path(list(found.submodule_search_locations)[0]) / "axe.min.js"
    return file.read_text(encoding="utf-8") if file.exists() else None


def axe_faults(window, source):
    """What axe-core finds wrong, as sentences."""
    # As the driver's own code, because the pages allow no scripts but their own.
    window.command("Runtime.evaluate", expression=source)
    result = window.front().execute_async_script("""
        const done = arguments[arguments.length - 1];
        axe.run({ resultTypes: ["violations"] }).then((result) => done(result.violations));
        """)
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in result for node in fault["nodes"]]


def dots(page):
    """How many pixels of the map are neither sea, grid nor coast."""
    return page.script("""
        const { canvas } = document.querySelector("#map canvas").getContext("2d");
        const copy = new OffscreenCanvas(canvas.width, canvas.height)
          .getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const pixels = copy.getImageData(0, 0, canvas.width, canvas.height).data;
        const style = getComputedStyle(document.getElementById("map"));
        const tone = (name) => parseInt(style.getPropertyValue(name).trim().slice(1, 3), 16);
        const quiet = [tone("--sea"), tone("--grid"), tone("--coast")];
        const [low, high] = [Math.min(...quiet), Math.max(...quiet)];
        let count = 0;
        for (let at = 0; at < pixels.length; at += 4) {
          if (pixels[at] < low - 20 || pixels[at] > high + 20) count += 1;
        }
        return count;
        """)
