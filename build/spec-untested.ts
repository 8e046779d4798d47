/** Sections without rules of their own. */
export const WITHOUT_RULES: readonly string[] = ['overview.md#resources'];

/** Rules without a test in the repository, by section. */
export const UNTESTED: Readonly<Record<string, string>> = {
  'keys.md#verification': 'hashes are compared in constant time',
  'overview.md#product': 'no server is contacted that no user has configured',
  'sandbox.md#isolation': 'a script that loops slows the callers of other routes by at most a factor of 2',
  'users.md#log-in': 'a failed log-in takes the same time for an unknown name, an inactive user and a wrong password',
};
