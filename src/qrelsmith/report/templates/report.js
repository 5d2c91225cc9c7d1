(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("js");

  // Light and dark: what the system asks for, until the reader chooses.
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var theme = document.getElementById("theme");
  function isDark() {
    return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  }
  function nameTheme() {
    theme.textContent = isDark() ? "Light colours" : "Dark colours";
  }
  theme.hidden = false;
  theme.addEventListener("click", function () {
    root.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
  });
  dark.addEventListener("change", nameTheme);
  nameTheme();

  // On a narrow screen the contents stand above the page, closed.
  var contents = document.querySelector(".contents");
  var narrow = window.matchMedia("(max-width: 72rem)");
  function foldContents() {
    contents.open = !narrow.matches;
  }
  narrow.addEventListener("change", foldContents);
  foldContents();

  // The section that is being read.
  var links = new Map();
  contents.querySelectorAll("a").forEach(function (link) {
    links.set(link.hash.slice(1), link);
  });
  var visible = new Set();
  var watcher = new IntersectionObserver(
    function (entries) {
      entries.forEach(function (entry) {
        visible[entry.isIntersecting ? "add" : "delete"](entry.target.id);
      });
      var current = Array.from(links.keys()).find(function (name) {
        return visible.has(name);
      });
      links.forEach(function (link, name) {
        if (name === current) {
          link.setAttribute("aria-current", "true");
        } else {
          link.removeAttribute("aria-current");
        }
      });
    },
    { rootMargin: "-10% 0px -70% 0px" }
  );
  document.querySelectorAll("main > section").forEach(function (section) {
    watcher.observe(section);
  });

  // What a link leads to is opened, and everything is printed.
  function openAround(target) {
    for (var part = target; part; part = part.parentElement) {
      if (part.matches("details")) {
        part.open = true;
      }
    }
    var inside = target && target.matches("section") && target.querySelector(":scope > details");
    if (inside) {
      inside.open = true;
    }
  }
  function follow() {
    var target = document.getElementById(location.hash.slice(1));
    openAround(target);
    if (target && target.closest("main > section > details")) {
      target.scrollIntoView();
    }
  }
  window.addEventListener("hashchange", follow);
  follow();
  var closed = [];
  window.addEventListener("beforeprint", function () {
    closed = Array.from(document.querySelectorAll("main > section > details:not([open])"));
    closed.forEach(function (part) {
      part.open = true;
    });
  });
  window.addEventListener("afterprint", function () {
    closed.forEach(function (part) {
      part.open = false;
    });
  });

  // The exact number, when the pointer rests on a rounded one.
  document.addEventListener("pointerover", function (event) {
    var cell = event.target.closest && event.target.closest("td[data-v]");
    if (cell) {
      cell.title = cell.dataset.v;
    }
  });

  // What can be scrolled can be reached by keyboard, and nothing else need be.
  var scrollers = document.querySelectorAll(".drawing, .scroll, pre");
  function setReach(box) {
    if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1) {
      box.tabIndex = 0;
    } else {
      box.removeAttribute("tabindex");
    }
  }
  var sizes = new ResizeObserver(function (entries) {
    entries.forEach(function (entry) {
      setReach(entry.target.closest(".drawing, .scroll, pre"));
    });
  });
  scrollers.forEach(function (box) {
    sizes.observe(box);
    if (box.firstElementChild) {
      sizes.observe(box.firstElementChild);
    }
  });

  var collator = new Intl.Collator("en", { numeric: true });
  document.querySelectorAll("main .table").forEach(function (block) {
    var table = block.querySelector("table");
    var body = table.tBodies[0];
    var heads = Array.from(table.tHead.rows[0].cells);
    var rows = Array.from(body.rows);
    var count = block.querySelector(".count");
    var total = count.textContent;
    var held = rows.length.toLocaleString("en");
    var box = block.querySelector(".filter");
    var fold = block.querySelector(".fold");
    if (rows.length === 1 && rows[0].classList.contains("empty")) {
      return;
    }

    function wordsOf(row) {
      var texts = Array.from(row.cells, function (cell) {
        return cell.textContent;
      });
      return texts.join("\n").toLowerCase();
    }

    function key(row, place, numeric) {
      var cell = row.cells[place];
      var text = cell.dataset.v || cell.textContent;
      if (!numeric) {
        return text;
      }
      // The page writes inf and a true minus where JavaScript reads Infinity and a hyphen.
      var value = parseFloat(text.replace("inf", "Infinity").replace("−", "-"));
      return text === "" || Number.isNaN(value) ? null : value;
    }

    function sort(place, direction) {
      var numeric = heads[place].classList.contains("n");
      var keyed = rows.map(function (row, at) {
        return { row: row, at: at, key: key(row, place, numeric) };
      });
      if (direction !== 0) {
        keyed.sort(function (a, b) {
          // What has no value comes last either way.
          var lackA = a.key === null || a.key === "";
          var lackB = b.key === null || b.key === "";
          if (lackA || lackB) {
            return lackA - lackB || a.at - b.at;
          }
          var order = numeric ? (a.key > b.key) - (a.key < b.key) : collator.compare(a.key, b.key);
          return direction * order || a.at - b.at;
        });
      }
      body.append.apply(
        body,
        keyed.map(function (item) {
          return item.row;
        })
      );
    }

    heads.forEach(function (head, place) {
      head.firstElementChild.addEventListener("click", function () {
        var before = head.getAttribute("aria-sort");
        heads.forEach(function (other) {
          other.removeAttribute("aria-sort");
        });
        if (before === "descending") {
          sort(place, 0);
          return;
        }
        var direction = before === "ascending" ? -1 : 1;
        head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
        sort(place, direction);
      });
    });

    function setFolded(folded) {
      if (folded) {
        table.dataset.folded = "";
      } else {
        delete table.dataset.folded;
      }
      fold.setAttribute("aria-expanded", String(!folded));
      fold.textContent = folded
        ? "Show all " + held + " rows"
        : "Show the first " + table.dataset.folds + " rows";
    }
    if (fold) {
      fold.hidden = false;
      setFolded(true);
      fold.addEventListener("click", function () {
        setFolded(!("folded" in table.dataset));
      });
    }

    if (box) {
      var input = box.querySelector("input");
      var words = null;
      box.hidden = false;
      input.addEventListener("input", function () {
        var wanted = input.value.trim().toLowerCase().split(/\s+/);
        var left = 0;
        words = words || rows.map(wordsOf);
        rows.forEach(function (row, place) {
          row.hidden = !wanted.every(function (word) {
            return words[place].includes(word);
          });
          left += row.hidden ? 0 : 1;
        });
        var filtered = input.value.trim() !== "";
        count.textContent = filtered ? left.toLocaleString("en") + " of " + held + " rows" : total;
        if (fold) {
          fold.hidden = filtered;
          if (filtered) {
            delete table.dataset.folded;
          } else {
            setFolded(true);
          }
        }
      });
    }
  });
})();
