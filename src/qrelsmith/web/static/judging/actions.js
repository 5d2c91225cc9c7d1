// Actions with a key besides grading, and their default keys.

export const ACTIONS = [
  ["error", "e"], ["undo", "u"], ["next", "j"], ["previous", "k"], ["nextOpen", "o"],
  ["jump", "g"], ["find", "/"], ["note", "n"], ["excerpt", "x"], ["view", "v"],
  ["highlight", "h"], ["topic", "t"], ["group", "f"], ["groupBefore", "d"],
  ["word", "w"], ["main", "m"], ["instructions", "i"], ["help", "?"],
];
// Actions of the page for answers, and their default keys.
export const ASPECT_ACTIONS = [
  ["contradicts", "c"], ["error", "e"], ["undo", "u"], ["next", "j"], ["previous", "k"],
  ["nextOpen", "o"], ["answer", "]"], ["answerBefore", "["], ["cited", "d"], ["note", "n"],
  ["excerpt", "x"], ["add", "a"], ["edit", "r"], ["view", "v"], ["highlight", "h"],
  ["topic", "t"], ["instructions", "i"], ["help", "?"],
];
