// A click anywhere in a doc chooses it, as in Figure 6 of the paper, unless it selects words,
// unfolds something, or selects a passage.

const OWN = "a, button, input, select, textarea, label, summary, audio, video";

/**
 * Choose docs by clicks.
 *
 * @param {object} parts places (containers of the docs) and texts, by side; `choose(side, kind)`.
 */
export function chooseWithClicks({ places, texts, choose }) {
  const heard = (side) => (event) => {
    const { target, detail: clicks, pointerType } = event;
    // Elements of a doc's own form could hide its methods.
    const isOwn = target instanceof target.ownerDocument.defaultView.Element
      && Element.prototype.closest.call(target, OWN);
    const selection = target.ownerDocument.getSelection();
    if (event.button || event.defaultPrevented || clicks > 1 || isOwn || !selection.isCollapsed) return;
    choose(side, pointerType === "touch" ? "touch" : "click");
  };
  for (const [side, place] of Object.entries(places)) {
    texts[side].addEventListener("click", heard(side));
    place.addEventListener("clicked", ({ detail }) => heard(side)(detail));
  }
}
