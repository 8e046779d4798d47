import { LOADING_FAILED, TIMED_OUT } from './keychain-messages.ts';

/** Messages of keytar, libsecret and D-Bus, with their meaning for a technician. The first match is used. */
const REASONS: readonly [RegExp, string][] = [
  [
    new RegExp(LOADING_FAILED),
    'its library cannot be loaded; on Linux install libsecret (Debian: apt install libsecret-1-0)',
  ],
  [new RegExp(TIMED_OUT), 'it did not answer in time; it may be waiting for somebody to unlock it'],
  [
    /autolaunch D-Bus|Could not connect|Failed to connect|DBUS_SESSION_BUS_ADDRESS/i,
    'there is no D-Bus session to reach it by',
  ],
  [
    /org\.freedesktop\.secrets.*(?:was not provided|not activatable)|ServiceUnknown/i,
    'no Secret Service is running; expected one such as gnome-keyring',
  ],
  [
    /locked|Object does not exist at path|No such (?:interface|secret collection)|dismissed/i,
    'it is locked or has no default collection; unlock it first',
  ],
];

/** One plain sentence for an error of the keychain. */
export function plainReason(message: string): string {
  const [, reason] = REASONS.find(([pattern]) => pattern.test(message)) ?? [];
  return `The OS keychain cannot be used: ${reason ?? `it answered "${message.slice(0, 200)}"`}.`;
}
