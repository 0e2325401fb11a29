import '@mantine/core/styles/Input.layer.css';
import { Textarea } from '@mantine/core';
import { fieldClasses } from './text-field.tsx';

/** Several lines of text, at least `minRows` high; it can be pulled larger. */
export const TextArea = Textarea.withProps({ classNames: fieldClasses, resize: 'vertical', minRows: 3 });
