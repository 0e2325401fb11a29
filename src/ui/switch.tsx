import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Switch as LibrarySwitch } from '@mantine/core';
import styles from './choice.module.css';
import { choiceClasses } from './choice.tsx';

export const Switch = LibrarySwitch.withProps({ size: 'sm', classNames: { ...choiceClasses, track: styles.track } });
