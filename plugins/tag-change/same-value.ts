/** Whether two JSON values are equal; the order of names in an object is irrelevant. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && sameValue(own(one, name), own(other, name)));
}

function own(holder: object, name: string): unknown {
  return (holder as Record<string, unknown>)[name];
}
