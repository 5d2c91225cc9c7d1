(function () {
  "use strict";
  var card = document.querySelector(".card");
  var bodies = Array.from(card.tBodies);

  // Why a cell says what it says, in a row below its own.
  function close() {
    card.querySelectorAll('.cell[aria-expanded="true"]').forEach(function (cell) {
      cell.setAttribute("aria-expanded", "false");
    });
    card.querySelectorAll(".why.shown,.reason.shown").forEach(function (part) {
      part.classList.remove("shown");
    });
  }
  card.addEventListener("click", function (event) {
    var cell = event.target.closest(".cell");
    if (!cell) {
      return;
    }
    var opened = cell.getAttribute("aria-expanded") === "true";
    close();
    if (!opened) {
      var reason = document.getElementById(cell.getAttribute("aria-controls"));
      cell.setAttribute("aria-expanded", "true");
      reason.classList.add("shown");
      reason.closest(".why").classList.add("shown");
    }
  });

  // Arrow keys move between verdicts, Escape closes.
  function visible(body) {
    return body.rows[0].getClientRects().length > 0;
  }
  card.addEventListener("keydown", function (event) {
    var cell = event.target.closest(".cell");
    if (!cell) {
      return;
    }
    if (event.key === "Escape") {
      close();
      return;
    }
    var across = { ArrowLeft: -1, ArrowRight: 1 }[event.key] || 0;
    var down = { ArrowUp: -1, ArrowDown: 1 }[event.key] || 0;
    if (!across && !down) {
      return;
    }
    event.preventDefault();
    var shown = bodies.filter(visible);
    var body = shown[shown.indexOf(cell.closest("tbody")) + down];
    var target = body && body.rows[0].cells[cell.closest("td").cellIndex + across];
    var button = target && target.querySelector(".cell");
    if (button) {
      button.focus();
    }
  });

  // Passes of one model are one row until it is opened.
  card.querySelectorAll(".open").forEach(function (button) {
    var family = button.closest("tbody");
    button.hidden = false;
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", function () {
      var opened = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(opened));
      for (var next = family.nextElementSibling; next && next.matches(".pass"); ) {
        next.classList.toggle("shown", opened);
        next = next.nextElementSibling;
      }
    });
  });

  // Two label sets through the whole page: their verdicts side by side, the others faint or left out.
  var form = document.querySelector(".compare");
  if (!form) {
    return;
  }
  var panel = document.querySelector(".compared");
  var reset = form.querySelector("[type=reset]");
  var names = Array.from(form.elements.a.options, function (option) {
    return option.text;
  });
  var reference = card.querySelector(".reference[data-set]");
  var all = new Set(names);

  // The label sets that a shape, a word or a row of the page speaks of.
  function namesIn(text) {
    var found = [];
    text.split(/: | × |\n/).forEach(function (part) {
      var name = part.replace(/ \(.*\)$/, "");
      if (all.has(name)) {
        found.push(name);
      }
    });
    return found;
  }
  function mark(element, text, chosen) {
    var found = namesIn(text);
    var other = found.some(function (name) {
      return !chosen.has(name);
    });
    element.classList.toggle("unchosen", chosen.size > 0 && other);
  }
  function choose(chosen) {
    document.documentElement.classList.toggle("comparing", chosen.size > 0);
    document.querySelectorAll(".drawing svg>*").forEach(function (shape) {
      var title = shape.querySelector("title");
      if (shape.tagName !== "title" && shape.tagName !== "desc") {
        mark(shape, title ? title.textContent : shape.textContent, chosen);
      }
    });
    document.querySelectorAll(".table tbody tr").forEach(function (row) {
      var texts = Array.from(row.cells, function (cell) {
        return cell.classList.contains("n") ? "" : cell.textContent;
      });
      mark(row, texts.join("\n"), chosen);
    });
    bodies.forEach(function (body) {
      var other = !body.dataset.set || !chosen.has(body.dataset.set);
      body.classList.toggle("unchosen", chosen.size > 0 && other);
      if (body.matches(".pass")) {
        body.classList.toggle("shown", chosen.has(body.dataset.set));
      }
    });
  }
  function bodyOf(name) {
    return bodies.find(function (body) {
      return body.dataset.set === name;
    });
  }
  function add(content) {
    var box = document.createElement("div");
    if (typeof content === "string") {
      box.textContent = content;
    } else {
      content.forEach(function (part) {
        box.append(part.cloneNode(true));
      });
    }
    panel.append(box);
  }
  function reasonsOf(name) {
    return Array.from(bodyOf(name).querySelectorAll(".reason"));
  }
  form.hidden = false;
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    var pair = [form.elements.a.value, form.elements.b.value];
    panel.replaceChildren();
    add("");
    pair.forEach(add);
    var asks = Array.from(card.tHead.rows[0].cells).slice(1);
    var reasons = pair.map(reasonsOf);
    asks.forEach(function (ask, place) {
      add(ask.textContent);
      reasons.forEach(function (list) {
        var parts = [list[place].querySelector(".verdict")];
        add(parts.concat(Array.from(list[place].querySelectorAll("p:not(.asked)"))));
      });
    });
    panel.hidden = false;
    reset.hidden = false;
    choose(new Set(reference ? pair.concat(reference.dataset.set) : pair));
  });
  form.addEventListener("reset", function () {
    panel.hidden = true;
    reset.hidden = true;
    choose(new Set());
  });
})();
