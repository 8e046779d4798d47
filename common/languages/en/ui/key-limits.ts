/** Limits of API keys. */
export const keyLimits = {
  limited: 'Limited',
  menu: 'Change limits',
  title: 'Limits of the key of {{name}}',
  intro:
    'Limits restrict a scope to individual objects, and the key to addresses. New limits take effect immediately, also for runs in progress.',
  heading: 'Limits',
  noScopes: 'This key has no scopes. Only its addresses can be limited.',
  addresses: 'Addresses',
  anyAddress: 'Any address',
  every: 'Everything',
  only: 'Only these',
  entries: 'Entries of {{name}}',
  oneEach: 'One entry per line, such as {{example}}. Without entries, nothing is allowed.',
  add: 'Add a tag or folder to {{name}}',
  addFirst: 'Add a tag or folder…',
  covers_one: 'Covers {{covered}} of {{count}} tag: {{names}}',
  covers_other: 'Covers {{covered}} of {{count}} tags: {{names}}',
  coversNone_one: 'Does not cover the only tag.',
  coversNone_other: 'Covers none of {{count}} tags.',
  nothing: 'nothing',
  save: 'Save limits',
};
