import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox as LibraryCheckbox } from '@mantine/core';
import styles from './choice.module.css';

/** Classes of the text beside a checkbox or switch. */
export const choiceClasses = { label: styles.label, description: styles.description, body: styles.body };

export const Checkbox = LibraryCheckbox.withProps({ size: 'sm', classNames: { ...choiceClasses, input: styles.box } });
