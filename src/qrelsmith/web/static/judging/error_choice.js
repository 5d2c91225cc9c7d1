// Why a doc cannot be judged, where there are several reasons.

import { ask } from "../page/dialogs.js";
import { byId, element } from "../page/elements.js";

/** The code of the reason that a person chooses; null for none. */
export async function chooseError(errors) {
  if (errors.length < 2) return errors[0]?.code ?? null;
  const dialog = byId("error-dialog");
  const buttons = errors.map((error, place) =>
    element("button", { value: error.code }, element("kbd", {}, String(place + 1)), error.label));
  byId("error-choices").replaceChildren(...buttons);
  const pressed = (event) => {
    const button = /^[1-9]$/.test(event.key) ? buttons[Number(event.key) - 1] : null;
    if (!button) return;
    // The dialog is gone after the click: the same key must not give a grade as well.
    event.preventDefault();
    event.stopPropagation();
    button.click();
  };
  dialog.addEventListener("keydown", pressed);
  const answer = await ask(dialog);
  dialog.removeEventListener("keydown", pressed);
  return answer === "" ? null : Number(answer);
}
