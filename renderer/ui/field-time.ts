const two = (value: number) => String(value).padStart(2, '0');

/** The value of a `datetime-local` field: local time to the minute. */
export function fieldTime(at: number): string {
  const time = new Date(at);
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
