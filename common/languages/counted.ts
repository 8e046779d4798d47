/** A number with its noun: `one` for 1, `many` for any other number. */
export function counted(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
