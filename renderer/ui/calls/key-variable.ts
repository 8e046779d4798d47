/** Where samples take the key from: an environment variable, so that it does not get into source code. */
export const KEY_VARIABLE = 'SLUICE_API_KEY';
