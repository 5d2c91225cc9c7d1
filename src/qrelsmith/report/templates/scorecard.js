(function () {
  "use strict";
  var card = document.getElementById("scorecard");
  var main = document.querySelector("main");
  var sets = Array.from(card.querySelectorAll(".set"));
  var systems = JSON.parse(card.dataset.systems);
  var chooser = document.getElementById("system");
  var other = document.getElementById("other");
  var marked = document.getElementById("marked");
  card.querySelector(".toolbar").hidden = false;

  function dataOf(set) {
    if (!set.systemData) {
      set.systemData = set.dataset.systems ? JSON.parse(set.dataset.systems) : [];
    }
    return set.systemData;
  }

  // Further passes of one model are folded.
  card.querySelectorAll(".passes").forEach(function (button) {
    button.hidden = false;
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", function () {
      var opened = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(opened));
      for (var next = button.closest(".set").nextElementSibling; next && next.matches(".pass"); ) {
        next.classList.toggle("shown", opened);
        next = next.nextElementSibling;
      }
    });
  });

  // A label set, or two side by side, in a view of its own.
  var left = null;
  function opened() {
    var ids = decodeURIComponent(location.hash.slice(1)).split("+");
    return ids
      .map(function (id) {
        return document.getElementById(id);
      })
      .filter(function (set) {
        return set && set.matches(".set");
      });
  }
  function route() {
    var open = opened();
    main.classList.toggle("viewing", open.length > 0);
    main.classList.toggle("alone", open.length === 1);
    sets.forEach(function (set) {
      set.classList.toggle("open", open.includes(set));
    });
    if (open.length) {
      left = open[0];
      open.forEach(drawPlaces);
      other.replaceChildren(new Option("none", ""));
      sets.forEach(function (set) {
        if (set !== open[0]) {
          other.add(new Option(set.dataset.name, set.id, false, set === open[1]));
        }
      });
      mark(chosen);
      window.scrollTo(0, 0);
      open[0].focus({ preventScroll: true });
    } else if (location.hash === "#scorecard" && left) {
      left.scrollIntoView({ block: "center" });
      left.querySelector("h3 a").focus({ preventScroll: true });
      left = null;
    } else if (location.hash.length > 1) {
      var target = document.getElementById(location.hash.slice(1));
      if (target) {
        target.scrollIntoView();
      }
    }
  }
  other.addEventListener("change", function () {
    location.hash = opened()[0].id + (other.value ? "+" + other.value : "");
  });

  // The places of the systems, from the reference to the label set.
  function draw(tag, attributes, text) {
    var element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    Object.keys(attributes).forEach(function (name) {
      element.setAttribute(name, attributes[name]);
    });
    element.textContent = text || "";
    return element;
  }
  function short(name) {
    return name.length > 16 ? name.slice(0, 8) + "…" + name.slice(-7) : name;
  }
  function rowsBy(data, column) {
    var order = data.map(function (_, system) {
      return system;
    });
    order.sort(function (a, b) {
      return data[a][column] - data[b][column] || a - b;
    });
    var rows = [];
    order.forEach(function (system, row) {
      rows[system] = row;
    });
    return rows;
  }
  function drawPlaces(set) {
    var box = set.querySelector(".places");
    var data = dataOf(set);
    if (box.firstChild || !data.length) {
      return;
    }
    var tall = 16 * data.length + 24;
    var svg = draw("svg", { width: 360, height: tall, viewBox: "0 0 360 " + tall, role: "img" });
    svg.setAttribute("aria-label", "Ranks of the systems");
    svg.append(draw("text", { x: 138, y: 12, "text-anchor": "end", class: "head" },
      short(card.dataset.reference)));
    svg.append(draw("text", { x: 222, y: 12, class: "head" }, short(set.dataset.name)));
    var before = rowsBy(data, 2);
    var here = rowsBy(data, 3);
    var dots = set.querySelectorAll(".dots circle");
    data.forEach(function (row, system) {
      var from = 16 * before[system] + 30;
      var to = 16 * here[system] + 30;
      var line = draw("g", { "data-s": system, class: dots[system].matches(".moved") ? "moved" : "" });
      line.append(
        draw("line", { x1: 144, y1: from - 4, x2: 216, y2: to - 4 }),
        draw("text", { x: 138, y: from, "text-anchor": "end" }, short(systems[system]) + " " + row[2]),
        draw("text", { x: 222, y: to }, row[3] + " " + short(systems[system]))
      );
      svg.append(line);
    });
    box.append(svg);
  }

  // A system that is pointed at or chosen is marked in every picture and table.
  var chosen = "";
  var tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);
  systems.forEach(function (name, system) {
    chooser.add(new Option(name, system));
  });
  var elsewhere = null;
  function named(system) {
    if (!elsewhere) {
      elsewhere = new Map();
      var add = function (element, text) {
        var name = text.split(/: | × /)[0];
        if (!elsewhere.has(name)) {
          elsewhere.set(name, []);
        }
        elsewhere.get(name).push(element);
      };
      document.querySelectorAll(".drawing svg > :not(g) > title").forEach(function (title) {
        add(title.parentNode, title.textContent);
      });
      document.querySelectorAll(".drawing svg text").forEach(function (text) {
        add(text, text.lastChild ? text.lastChild.textContent : "");
      });
      document.querySelectorAll(".table tbody tr").forEach(function (row) {
        add(row, row.cells[0].textContent);
      });
    }
    return elsewhere.get(systems[system]) || [];
  }
  function mark(system) {
    document.querySelectorAll(".marked").forEach(function (element) {
      element.classList.remove("marked");
    });
    if (system === "") {
      return;
    }
    sets.forEach(function (set) {
      var dot = set.querySelectorAll(".dots circle")[system];
      if (dot) {
        dot.classList.add("marked");
      }
    });
    card.querySelectorAll('.places [data-s="' + system + '"]').forEach(function (line) {
      line.classList.add("marked");
      line.parentNode.append(line);
    });
    named(system).forEach(function (element) {
      element.classList.add("marked");
    });
  }
  function words(set, system) {
    var row = dataOf(set)[system];
    return row
      ? row[2] + " → " + row[3] + " (" + card.dataset.measure + " " + row[0] + ", " + row[1] + ")"
      : "";
  }
  function choose(system) {
    chosen = String(system);
    chooser.value = chosen;
    mark(chosen);
    sets.forEach(function (set) {
      var line = set.querySelector(".moves");
      if (!line) {
        return;
      }
      if (line.general === undefined) {
        line.general = Array.from(line.childNodes);
      }
      if (chosen === "") {
        line.replaceChildren.apply(line, line.general);
      } else {
        line.textContent = systems[chosen] + ": rank " + words(set, chosen);
      }
    });
    marked.textContent = chosen === "" ? "" : systems[chosen] + " is marked in all pictures and tables";
  }
  chooser.addEventListener("change", function () {
    choose(chooser.value);
  });

  // The system under the pointer: of several points the nearest.
  function under(event) {
    var line = event.target.closest(".places [data-s]");
    if (line) {
      return Number(line.dataset.s);
    }
    var plot = event.target.closest(".scatter");
    if (!plot) {
      return -1;
    }
    var best = -1;
    var least = 12;
    plot.querySelectorAll(".dots circle").forEach(function (dot, system) {
      var box = dot.getBoundingClientRect();
      var far = Math.hypot(
        event.clientX - box.left - box.width / 2,
        event.clientY - box.top - box.height / 2
      );
      if (far < least) {
        least = far;
        best = system;
      }
    });
    return best;
  }
  var hovered = -1;
  card.addEventListener("pointermove", function (event) {
    var system = under(event);
    tip.hidden = system < 0;
    if (system >= 0) {
      tip.textContent = systems[system] + ": rank " + words(event.target.closest(".set"), system);
      tip.style.left = Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 4) + "px";
      tip.style.top = Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 4) + "px";
    }
    if (system !== hovered) {
      hovered = system;
      mark(system < 0 ? chosen : String(system));
    }
  });
  card.addEventListener("pointerleave", function () {
    tip.hidden = true;
    hovered = -1;
    mark(chosen);
  });
  card.addEventListener("click", function (event) {
    var system = under(event);
    if (system >= 0) {
      choose(String(system) === chosen ? "" : system);
    }
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && chosen !== "") {
      choose("");
    }
  });

  window.addEventListener("hashchange", route);
  route();
})();
