// Actions with a key besides answering, and their default keys.

export const ACTIONS = [
  ["tie", "e"], ["undo", "u"], ["previous", "k"], ["next", "j"], ["find", "/"], ["passage", "x"],
  ["view", "v"], ["highlight", "h"], ["together", "b"], ["switch", "s"], ["topic", "t"],
  ["group", "f"], ["groupBefore", "d"], ["word", "w"], ["main", "m"], ["help", "?"],
];
