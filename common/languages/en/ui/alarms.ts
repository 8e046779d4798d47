/** Actions on alarms, and the alarm history. */
export const alarms = {
  details: 'Cause and remedy',
  note: 'Note',
  noteHelp: 'Optional. Others see it beside the alarm and in the alarm history.',
  acknowledgedBy: 'acknowledged by {{name}}',
  shelvedBy: 'shelved by {{name}}',
  shelvedUntil: 'Until {{time}}, shelved by {{name}}',
  shelved_one: '{{count}} shelved',
  shelved_other: '{{count}} shelved',
  unshelve: 'Show again now',
  more: 'More for: {{title}}',
  askAdministrator: 'An Administrator can resolve this.',
  open: {
    storeForward: 'Open Store & forward',
    plugins: 'Open Plugins',
    gateway: 'Open Gateway settings',
    journal: 'Open Journal',
    refusals: 'Show refusals',
    pipelines: 'Open Pipelines',
  },
  shelveMenu: 'Shelve…',
  openHistory: 'History',
  acknowledge: {
    title: 'Acknowledge the alarm',
    act: 'Acknowledge',
    withNote: 'Acknowledge with a note…',
  },
};
