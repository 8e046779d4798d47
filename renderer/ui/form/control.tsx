import type { ReactNode } from 'react';
import { AnyField } from './any-field.tsx';
import { CodeSetting } from './code-setting.tsx';
import { GroupField, OptionalField } from './group-field.tsx';
import { BytesField, NumberField, SizeField } from './number-field.tsx';
import { PairsField } from './pairs-field.tsx';
import { RowsField } from './rows-field.tsx';
import { ScopesField } from './scopes-field.tsx';
import { SecretSetting } from './secret-setting.tsx';
import { SelectField, SwitchField, TickField } from './select-field.tsx';
import type { SettingProps } from './setting-props.ts';
import { LinesField, TextSetting } from './text-setting.tsx';
import { TextsField } from './texts-field.tsx';

/** The control for the type of the field. */
export function Setting({ control, ...rest }: SettingProps): ReactNode {
  switch (control.kind) {
    case 'text':
      return <TextSetting {...rest} control={control} />;
    case 'code':
      return <CodeSetting {...rest} control={control} />;
    case 'number':
      return <NumberField {...rest} control={control} />;
    case 'size':
      return <SizeField {...rest} control={control} />;
    case 'bytes':
      return <BytesField {...rest} control={control} />;
    case 'lines':
      return <LinesField {...rest} control={control} />;
    case 'select':
      return <SelectField {...rest} control={control} />;
    case 'switch':
      return <SwitchField {...rest} control={control} />;
    case 'tick':
      return <TickField {...rest} control={control} />;
    case 'scopes':
      return <ScopesField {...rest} control={control} />;
    case 'texts':
      return <TextsField {...rest} control={control} />;
    case 'rows':
      return <RowsField {...rest} control={control} />;
    case 'pairs':
      return <PairsField {...rest} control={control} />;
    case 'secret':
      return <SecretSetting {...rest} control={control} />;
    case 'group':
      return <GroupField {...rest} control={control} />;
    case 'optional':
      return <OptionalField {...rest} control={control} />;
    case 'any':
      return <AnyField {...rest} control={control} />;
  }
}
