import { NodeError } from '#sdk';
import type { OpcuaSettings } from './address.ts';

/**
 * Refuses settings that are unsafe or cannot work, before a connection is attempted. Throws NodeError `opcua_settings`.
 *
 * A user name needs the mode SignAndEncrypt: with None password and session can be read on the wire, with Sign the
 * server decides whether the password is encrypted.
 */
export function checkSettings(settings: OpcuaSettings): void {
  const { securityMode, securityPolicy, user } = settings;
  if (securityMode !== 'None' && securityPolicy === 'None') {
    throw new NodeError('opcua_settings', `securityPolicy: expected one other than None with the mode ${securityMode}`);
  }
  if (user !== '' && securityMode !== 'SignAndEncrypt') {
    throw new NodeError(
      'opcua_settings',
      `securityMode: expected SignAndEncrypt with a user name, because ${securityMode} does not encrypt the password`,
    );
  }
}
