// A new campaign: files can be dropped, and previews follow the input.

const drop = document.getElementById("drop");
const preview = document.getElementById("preview");
const sheet = document.querySelector("form.sheet");
const PAUSE_MS = 300;
const MB = 1 << 20;

if (drop) {
  const field = drop.querySelector("input[type=file]");
  const problem = drop.querySelector(".problem");
  const send = () => {
    const large = [...field.files].find((file) => file.size > Number(drop.dataset.most) * MB);
    problem.textContent = large ? `${large.name} ${drop.dataset.large}` : "";
    if (!large && field.files.length) drop.requestSubmit();
  };
  field.addEventListener("change", send);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  addEventListener("dragleave", () => drop.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    field.files = event.dataTransfer.files;
    send();
  });
}

if (sheet?.dataset.preview && preview) {
  let timer = 0;
  let turn = 0;
  const renew = async () => {
    const mine = ++turn;
    const form = new FormData(sheet);
    const isText = form.has("instructions");
    if (!isText) form.delete("csrfmiddlewaretoken");
    const address = sheet.dataset.preview + (isText ? "" : `?${new URLSearchParams(form)}`);
    try {
      const answer = await fetch(address, isText ? { method: "POST", body: form } : {});
      if (answer.ok && mine === turn) preview.innerHTML = await answer.text();
    } catch {
      // Without a connection, the preview does not change; saving reports the error.
    }
  };
  sheet.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(renew, PAUSE_MS);
  });
}
