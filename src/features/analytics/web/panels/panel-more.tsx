import { lazy, Suspense, useState } from 'react';
import { MoreButton, type MoreProps } from './more-button.tsx';

const loadMenu = async () => ({ default: (await import('./panel-menu.tsx')).PanelMenu });
const PanelMenu = lazy(loadMenu);

/** The menu of a panel; what opens it is there before its code. */
export function PanelMore(props: MoreProps) {
  const [isWanted, setWanted] = useState(false);
  const preload = () => void loadMenu();
  const button = (
    <MoreButton title={props.title} onPointerEnter={preload} onFocus={preload} onClick={() => setWanted(true)} />
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <PanelMenu {...props} />
    </Suspense>
  ) : (
    button
  );
}
