import { askData } from './ask-data.ts';
import { dataCommand } from './data-command.ts';
import { readNewSecret } from './read-secret.ts';

/** Least privilege by default: the caller specifies further rights of a new user. */
const ROLE_DEFAULT = 'Viewer';

export const userAdd = dataCommand({
  name: 'user add',
  summary: 'adds a user; the password is typed, or read from standard input',
  flags: {
    role: { value: 'ROLE', help: `a role of the user, may be repeated (${ROLE_DEFAULT})`, many: true },
  },
  positionals: ['NAME'],
  run: async ({ args, options, print }) => {
    const [name = ''] = args.positionals;
    const password = await readNewSecret('Password');
    await askData(options, { command: 'user-add', name, password, roles: args.lists.get('role') ?? [ROLE_DEFAULT] });
    print(`The user ${name} was added.`);
  },
});

export const userResetPassword = dataCommand({
  name: 'user reset-password',
  summary: 'sets a user’s password, which is typed or read from standard input',
  positionals: ['NAME'],
  run: async ({ args, options, print }) => {
    const [name = ''] = args.positionals;
    const password = await readNewSecret('New password');
    await askData(options, { command: 'user-reset-password', name, password });
    print(`The password of ${name} was set.`);
  },
});
