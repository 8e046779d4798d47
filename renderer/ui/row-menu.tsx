import { Button, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** Further actions of a row; `label` names the row. Its children are `Menu.Item`s. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="subtle" className="square" aria-label={label}>
          <Icon name="dots" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
