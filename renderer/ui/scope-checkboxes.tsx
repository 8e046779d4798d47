import { Checkbox } from '@mantine/core';
import { SCOPES, type Scope } from '#common/scopes.ts';
import type { ReactNode } from 'react';

interface Props {
  legend: string;
  chosen: readonly Scope[];
  renderLabel: (scope: Scope) => ReactNode;
  onChange: (scopes: Scope[]) => void;
}

/** One checkbox for each scope; the selected ones are passed on in the order of all scopes. */
export function ScopeCheckboxes({ legend, chosen, renderLabel, onChange }: Props) {
  const turn = (scope: Scope, on: boolean) =>
    onChange(SCOPES.filter((one) => (one === scope ? on : chosen.includes(one))));
  return (
    <fieldset className="scope-ticks">
      <legend>{legend}</legend>
      {SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          checked={chosen.includes(scope)}
          onChange={(event) => turn(scope, event.currentTarget.checked)}
          label={renderLabel(scope)}
        />
      ))}
    </fieldset>
  );
}
