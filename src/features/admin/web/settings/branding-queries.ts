import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput, Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { brandingEndpoints } from '../../branding/contract.ts';

const api = createClient(brandingEndpoints);

export type Branding = Output<typeof brandingEndpoints.readBranding>;
export type BrandLogo = NonNullable<Branding['logo']>;

const brandingKey = ['admin', 'branding'];

export function useBranding() {
  return useQuery({ queryKey: brandingKey, queryFn: ({ signal }) => api.readBranding({}, { signal }) });
}

export function useChangeBranding() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CallInput<typeof brandingEndpoints.changeBranding>['body']) => api.changeBranding({ body }),
    onSuccess: (branding) => queryClient.setQueryData(brandingKey, branding),
  });
}

/** A picture as it lies on the operator's disk becomes a logo that nobody sees yet. */
export function useDrawLogo() {
  return useMutation({
    mutationFn: async (file: File) => api.drawLogo({ body: new Uint8Array(await file.arrayBuffer()) }),
  });
}
