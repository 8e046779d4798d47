/**
 * Permissions of the system that a page may have (camera, location, notifications, devices …): none. The UI needs none;
 * copying a key works with the user's own key press, without a permission.
 */
const ALLOWED: ReadonlySet<string> = new Set();

export function mayUse(permission: string): boolean {
  return ALLOWED.has(permission);
}
