// The dialog for choosing the reason why a doc cannot be judged.

import { ask } from "../page/dialogs.js";
import { byId, element } from "../page/elements.js";

/** The code of the reason chosen by the user, or null. */
export async function chooseError(errors) {
  if (errors.length < 2) return errors[0]?.code ?? null;
  const dialog = byId("error-dialog");
  const buttons = errors.map((error, place) =>
    element("button", { value: error.code }, element("kbd", {}, String(place + 1)), error.label));
  byId("error-choices").replaceChildren(...buttons);
  const pressed = (event) => {
    const button = /^[1-9]$/.test(event.key) ? buttons[Number(event.key) - 1] : null;
    if (!button) return;
    // The dialog closes at the click: the same key must not also give a grade.
    event.preventDefault();
    event.stopPropagation();
    button.click();
  };
  dialog.addEventListener("keydown", pressed);
  const answer = await ask(dialog);
  dialog.removeEventListener("keydown", pressed);
  return answer === "" ? null : Number(answer);
}
