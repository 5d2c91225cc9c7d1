// A new campaign: files can be dropped, previews follow the input, and unsaved fields are kept.

const drop = document.getElementById("drop");
const preview = document.getElementById("preview");
const sheet = document.querySelector("form.sheet");
const PAUSE_MS = 300;
const MB = 1 << 20;

// The data sent by the last page is saved, unless this page shows a problem.
if (!document.querySelector("main > .problem")) {
  localStorage.removeItem(sessionStorage.getItem("setup-sent") ?? "");
}
sessionStorage.removeItem("setup-sent");

if (drop) {
  const field = drop.querySelector("input[type=file]");
  const problem = drop.querySelector(".problem");
  const send = () => {
    const large = [...field.files].find((file) => file.size > Number(drop.dataset.most) * MB);
    problem.textContent = large ? drop.dataset.large.replace("NAME", () => large.name) : "";
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

// A second click would be refused while the first request is in progress.
addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "sent";
});
addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("form").forEach((form) => delete form.dataset.sent);
});

if (sheet) {
  const key = `setup:${location.pathname}`;
  // Send the version that the page showed: the server then reports whether another organiser has
  // saved since.
  const keep = () => {
    const form = new FormData(sheet);
    form.delete("csrfmiddlewaretoken");
    localStorage.setItem(key, JSON.stringify([...form]));
  };
  const kept = new Map(JSON.parse(localStorage.getItem(key) ?? "[]"));
  // A page with a problem has the fields as they were sent.
  if (!document.querySelector("main > .problem")) {
    for (const [name, value] of kept) {
      const field = sheet.elements.namedItem(name);
      if (field && "value" in field) field.value = value;
    }
    if (kept.size) {
      document.getElementById("unsaved").hidden = false;
      document.getElementById("discard").addEventListener("click", () => {
        localStorage.removeItem(key);
        location.reload();
      });
      sheet.dispatchEvent(new Event("input"));
    }
  }
  sheet.addEventListener("input", keep);
  sheet.addEventListener("submit", () => sessionStorage.setItem("setup-sent", key));
}
