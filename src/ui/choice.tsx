import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Checkbox as LibraryCheckbox, Switch as LibrarySwitch } from '@mantine/core';
import styles from './choice.module.css';

const classNames = { label: styles.label, description: styles.description, body: styles.body };

export const Checkbox = LibraryCheckbox.withProps({ size: 'sm', classNames: { ...classNames, input: styles.box } });
export const Switch = LibrarySwitch.withProps({ size: 'sm', classNames: { ...classNames, track: styles.track } });
