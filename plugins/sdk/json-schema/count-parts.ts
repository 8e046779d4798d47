/** Characters of a text that count as one more part. */
const CHARS_PER_PART = 100;

/** Parts that are counted before the next pause. */
const PARTS_PER_STEP = 2_000;

/** The number of objects, lists and leaves of a JSON value, including its root; counting ends at `most`. */
export function countParts(value: unknown, most: number): number {
  const steps = countInSteps(value, most);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As countParts; yields where it may pause. */
export function* countInSteps(value: unknown, most: number): Generator<undefined, number, unknown> {
  let count = leafParts(value) - 1;
  let pauseAt = PARTS_PER_STEP;
  const open: unknown[] = [value];
  while (open.length > 0 && count < most) {
    const part = open.pop();
    count += 1;
    if (typeof part === 'object' && part !== null && !(part instanceof Uint8Array))
      count += push(open, part, most - count);
    if (count < pauseAt) continue;
    pauseAt = count + PARTS_PER_STEP;
    yield;
  }
  return Math.min(count, most);
}

/** Leaves are counted immediately; objects and lists later. */
function push(open: unknown[], parent: object, most: number): number {
  let leaves = 0;
  for (const name in parent) {
    if (leaves >= most) return leaves;
    const part = (parent as Record<string, unknown>)[name];
    if (typeof part === 'object' && part !== null) open.push(part);
    else leaves += leafParts(part);
  }
  return leaves;
}

function leafParts(leaf: unknown): number {
  return typeof leaf === 'string' ? 1 + Math.floor(leaf.length / CHARS_PER_PART) : 1;
}
