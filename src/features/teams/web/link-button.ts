import { createLink } from '@tanstack/react-router';
import { ButtonAnchor } from '#ui/button.tsx';

export const LinkButton = createLink(ButtonAnchor);
