/**
 * What a page may ask of the system (camera, location, notifications, devices …): nothing. The UI needs none; copying
 * a key works by the person's own key press, without a permission.
 */
const ALLOWED: ReadonlySet<string> = new Set();

export function mayUse(permission: string): boolean {
  return ALLOWED.has(permission);
}
