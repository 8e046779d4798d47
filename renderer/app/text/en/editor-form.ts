export const editorForm = {
  code: {
    leave: 'Tab indents. Escape, then Tab leaves the field.',
    notJson: 'This is not JSON from here on. Texts stand in "double quotes", entries are parted by commas.',
    fault: 'Line {{line}}: {{message}}',
    find: 'Find',
    replaceWith: 'Replace with',
    next: 'Next',
    previous: 'Previous',
    all: 'All',
    matchCase: 'Match case',
    regexp: 'Regular expression',
    byWord: 'Whole words',
    replace: 'Replace',
    replaceAll: 'Replace all',
    completions: 'Completions',
  },
};
