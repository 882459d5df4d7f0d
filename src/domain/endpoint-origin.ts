/** Where an endpoint is: a key that was given for it goes to no other place. Empty where there is none. */
export const endpointOrigin = (endpoint: string): string => (URL.canParse(endpoint) ? new URL(endpoint).origin : '')
