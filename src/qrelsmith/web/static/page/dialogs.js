// Dialogs: opened one at a time, closed by Escape or by a choice.

/** Open a dialog; resolves to the value of the button that closed it, "" for Escape. */
export function ask(dialog) {
  if (dialog.open) dialog.close("");
  dialog.returnValue = "";
  const before = document.activeElement;
  return new Promise((resolve) => {
    dialog.addEventListener(
      "close",
      () => {
        if (before instanceof HTMLElement && before.isConnected) before.focus();
        resolve(dialog.returnValue);
      },
      { once: true },
    );
    dialog.showModal();
    // Neither Enter nor a blank that was meant for the page decides anything.
    dialog.querySelector("[data-first]")?.focus();
  });
}
