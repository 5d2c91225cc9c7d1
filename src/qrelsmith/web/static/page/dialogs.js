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
    // Ignore an Enter or space that was meant for the page.
    dialog.querySelector("[data-first]")?.focus();
  });
}
