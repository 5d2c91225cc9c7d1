// The strip beside a doc, with the places of its highlighted words and their clusters.

// The same values as in the frame's style sheet, `frame_style.py`.
const COLOURS = [
  "#ccff88", "#ffaacc", "#88bbff", "#aaffcc", "#bbbb88", "#8888ff", "#aa8888", "#8888aa",
];

export class Strip {
  #canvas;
  #reading = null;
  #current = -1;

  /** @param {(number: number) => void} go scrolls to a cluster. */
  constructor(canvas, go) {
    this.#canvas = canvas;
    canvas.addEventListener("click", (event) => {
      const at = event.offsetY / Math.max(canvas.clientHeight, 1);
      const far = (this.#reading?.clusters ?? []).map((each) => (
        at < each.at ? each.at - at : Math.max(at - each.to, 0)
      ));
      if (far.length) go(far.indexOf(Math.min(...far)));
    });
    new ResizeObserver(() => this.#draw()).observe(canvas);
  }

  /** Show the places of words; null: none. */
  show(reading, current = -1) {
    this.#reading = reading;
    this.#current = current;
    this.#draw();
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const pen = this.#canvas.getContext("2d");
    this.#canvas.width = width;
    this.#canvas.height = height;
    pen.clearRect(0, 0, width, height);
    if (!this.#reading) return;
    const ink = getComputedStyle(this.#canvas);
    this.#reading.clusters.forEach(({ at, to }, number) => {
      pen.fillStyle = number === this.#current ? ink.color : ink.borderLeftColor;
      pen.fillRect(0, at * height, 3, Math.max((to - at) * height, 4));
    });
    for (const [at, term] of this.#reading.places) {
      pen.fillStyle = COLOURS[term % COLOURS.length];
      pen.fillRect(4, at * height, width - 4, 2);
    }
  }
}
