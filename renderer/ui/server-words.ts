import type { TFunction } from 'i18next';
import type { en } from '../app/text/en.ts';

/**
 * The admin API words its errors in English. Those that a person sees most are known here by their form and said in
 * the window's language; any other stays as it came, and `isOurs` is false.
 */
type Word = keyof (typeof en)['serverWords'];
export interface Said {
  text: string;
  isOurs: boolean;
}

const NUMBER = String.raw`([\d.,]+)`;
/** The first that fits counts. Its groups, in their order, are the values of the text. */
const FORMS: readonly (readonly [form: RegExp, word: Word, ...values: string[]])[] = [
  [form(`expected (?:SQL of )?${NUMBER} to ${NUMBER} characters`), 'charsFromTo', 'from', 'to'],
  [form(`expected (?:code of )?at most ${NUMBER} characters`), 'charsMost', 'most'],
  [form(`expected at least ${NUMBER} characters`), 'charsLeast', 'least'],
  [form(String.raw`expected at most ${NUMBER} [a-z ]+`), 'mostOf', 'most'],
  [form(String.raw`expected (?:[a-z ]+ )?from ${NUMBER} to ${NUMBER}(?: \(.*\))?`), 'fromTo', 'from', 'to'],
  [form(`expected a number of ${NUMBER} or more`), 'atLeast', 'least'],
  [form(String.raw`expected (\w+(?:, \w+)*(?:,| or) \w+)`), 'oneOf', 'list'],
  [form(String.raw`"(.*)" is not .* such as (\S+)`), 'isNot', 'value', 'example'],
  [form(String.raw`expected an? .*such as ([^\s,:]\S*?)(?:[,:] .*)?`), 'like', 'example'],
  [form('expected 1 to 63 lower-case letters, digits or "-", starting with a letter or digit'), 'id'],
  [form(String.raw`expected scheme and host such as (\S+), .*`), 'like', 'example'],
  [form(String.raw`expected a name other than "\." and "\.\.", .*`), 'dots'],
  [form('expected a name without line breaks, control characters and invisible characters'), 'unseen'],
  [form('expected a text'), 'text'],
  [form('expected a number'), 'number'],
  [form('expected a host name or an IP address, without scheme, port and path'), 'host'],
  [
    form(String.raw`The project already has a key named "(.*)", revoked ones included; expected another name\.`),
    'keyTaken',
    'name',
  ],
  [
    form(String.raw`There is (?:already )?a project "(.*)"(?: already; expected another id)?\.`),
    'projectTaken',
    'name',
  ],
  [
    form(
      String.raw`There is already a pipeline "(.*)" in this project\.|The project has a pipeline "(.*)" already; .*`,
    ),
    'pipelineTaken',
    'name',
    'name',
  ],
  ...(['connection', 'query', 'tag', 'script'] as const).map(
    (what) => [form(String.raw`There is already a ${what} "(.*)" in this project\.`), `${what}Taken`, 'name'] as const,
  ),
  [form(String.raw`The \w+ "(.*)" is used by (.*); change that first\.`), 'inUse', 'name', 'users'],
  [form(String.raw`Pipelines of this project are running \((.*)\); stop them first\.`), 'pipelinesRun', 'names'],
  [form(String.raw`Keys of this project are valid \((.*)\); revoke them first\.`), 'keysValid', 'names'],
  [form('This is the last active Administrator; make another one first.'), 'lastAdministrator'],
  [form('"(.*)": expected names with a single "/" between them, none at the start or the end'), 'fileSlashes', 'path'],
  [form('"(.*)": control and invisible characters are not allowed in it'), 'fileUnseen', 'path'],
  [form(String.raw`"(.*)": a backslash and the characters .* are not allowed in it`), 'fileReserved', 'path'],
  [form('"(.*)": no name begins with a space, is .*'), 'fileEnds', 'path'],
  [form('"(.*)": it is the name of a device on Windows'), 'fileDevice', 'path'],
  [form(String.raw`There is already a role named "(.*)"\.`), 'roleTaken', 'name'],
  [form(String.raw`There is already a user named "(.*)"\.`), 'personTaken', 'name'],
  [form(String.raw`The name or the password is wrong\.`), 'logInFailed'],
  [form(String.raw`Too many log-ins failed; try again in (\d+) s\.`), 'logInSlowed', 'seconds'],
  [form(String.raw`The set-up token is wrong; it is in the file setup-token of the data folder\.`), 'setupToken'],
  [form(String.raw`This needs the permission ([a-z_, ]+)\.`), 'permission', 'permission'],
  [form('expected printable characters of Latin-1 outside of .*; there is (.*)'), 'latin1', 'found'],
  [form('expected one media type such as .*'), 'mediaType'],
  [form('the header "(.*)" is given twice; expected each name once'), 'headerTwice', 'name'],
  [form('the header "(.*)" .*; expected another(?: name)?'), 'headerRefused', 'name'],
  [form('there is no tag (".*)'), 'noTag', 'tags'],
  [form(String.raw`port (\d+) is in use by another program; .*`), 'portTaken', 'port'],
  [form('this machine has no address (.*); .*'), 'noSuchAddress', 'address'],
  [form('is the same as gatewayPort.*; expected another port'), 'portTwice'],
  [form('needs a metricsToken; .*'), 'needsToken'],
  [form('cannot be sent in a header; .*'), 'tokenChars'],
  [form(String.raw`In force now, but not saved: .* undoes it\. Free disk space\.`), 'notKept'],
  [form(String.raw`In force now, but not saved: .* Free disk space\.`), 'notSaved'],
  [
    form(String.raw`The disk of the data folder has less than its reserve free\. Free disk space first\.`),
    'diskReserve',
  ],
  [form(String.raw`.* in progress(?:, such as an import)?; try again in a few seconds\.`), 'bodiesBusy'],
  [form(String.raw`Too many passwords are being checked; try again in a few seconds\.`), 'logInsBusy'],
  [form(String.raw`The draft of the \w+ "(.*)" was changed meanwhile; read it again\.`), 'draftChanged', 'name'],
  [form('expected code that runs: (.*)'), 'codeFault', 'fault'],
  [form(String.raw`The gateway is not answering; it is being restarted\. Try again in a moment\.`), 'gatewayDown'],
];

function form(source: string): RegExp {
  return new RegExp(`^${source}$`, 's');
}

/** A message of the admin API in the language of the UI, if a translation exists. */
export function saidIn(t: TFunction, language: string, message: string): Said {
  if (language === 'en') return { text: message, isOurs: true };
  for (const [one, word, ...names] of FORMS) {
    const found = one.exec(message);
    if (found === null) continue;
    const told = names
      .map((name, index) => [name, found[index + 1]] as const)
      .filter(([, value]) => value !== undefined);
    const values = Object.fromEntries(told.map(([name, value = '']) => [name, plain(value, language)]));
    return { text: t(`serverWords.${word}`, { ...values, defaultValue: message }), isOurs: true };
  }
  return { text: message, isOurs: false };
}

const GROUPED = /^\d{1,3}(?:,\d{3})*(?:\.\d+)?$/;

/** A number as the language writes it, a list without its English `or`; anything else as it is. */
function plain(value: string, language: string): string {
  if (/^\w+(?:, \w+)* or \w+$/.test(value)) return value.replace(' or ', ', ');
  return GROUPED.test(value) ? Number(value.replaceAll(',', '')).toLocaleString(language) : value;
}
