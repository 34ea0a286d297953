// The part of the form with the parameters of the OAuth schemes.
import type { FieldDescriptor } from '../form.ts'

const code = 'oauth2_authorization_code'
const assertion = 'oauth2_jwt_bearer'
const clients = ['oauth2_client_credentials', code]
const oauth = [...clients, assertion]
const whenScheme = (...schemes: string[]) => ({ path: 'scheme', in: schemes })

export const oauthFields: readonly FieldDescriptor[] = [
  {
    path: 'authorizationUrl',
    label: 'Consent URL',
    help: 'The page where a user gives consent.',
    widget: 'text',
    required: true,
    when: whenScheme(code),
  },
  {
    path: 'tokenUrl',
    label: 'Token URL',
    help: 'The endpoint for access tokens.',
    widget: 'text',
    required: true,
    when: whenScheme(...oauth),
  },
  {
    path: 'issuer',
    label: 'Issuer',
    help: 'The issuer of the authorisation server, if it returns iss after consent or expects it as the audience of private_key_jwt. Of oauth2_jwt_bearer: the issuer of the assertion, by default the client id.',
    widget: 'text',
    when: whenScheme(...oauth),
  },
  {
    path: 'scopes',
    label: 'OAuth scopes',
    help: 'The scopes to request for the token.',
    widget: 'list',
    when: whenScheme(...oauth),
  },
  {
    path: 'audience',
    label: 'Audience',
    help: 'The intended recipient: of the token, if the server requires it; of a signed assertion, by default the token URL.',
    widget: 'text',
    when: whenScheme(...oauth),
  },
  {
    path: 'clientAuthentication',
    label: 'Client authentication',
    help: 'How the client proves its identity to the token URL.',
    widget: 'select',
    options: [
      { value: 'basic', label: 'Secret in a header' },
      { value: 'body', label: 'Secret in the body' },
      { value: 'private_key_jwt', label: 'Assertion, signed with a private key' },
      { value: 'none', label: 'None', help: 'Only for authorisation codes, which PKCE protects.' },
    ],
    when: whenScheme(...clients),
  },
  {
    path: 'subject',
    label: 'Subject',
    help: 'The user or client that the assertion is for; by default the issuer.',
    widget: 'text',
    when: whenScheme(assertion),
  },
  {
    path: 'algorithm',
    label: 'Signature',
    help: 'The algorithm that signs the assertion.',
    widget: 'select',
    options: ['RS256', 'PS256', 'ES256', 'EdDSA'].map((value) => ({ value, label: value })),
    when: whenScheme(...oauth),
  },
  {
    path: 'lifetimeSec',
    label: 'Lifetime of the assertion',
    help: 'In seconds, by default 300.',
    widget: 'number',
    when: whenScheme(...oauth),
  },
  {
    path: 'claims',
    label: 'More claims',
    help: 'Claims that the server requires in the assertion, such as scope.',
    widget: 'map',
    when: whenScheme(assertion),
  },
  {
    path: 'authorizationParameters',
    label: 'Parameters of the consent page',
    help: 'Parameters that the server requires, such as access_type.',
    widget: 'map',
    when: whenScheme(code),
  },
  {
    path: 'tokenParameters',
    label: 'Parameters of token requests',
    help: 'Parameters that the server requires, such as resource. Never a secret.',
    widget: 'map',
    when: whenScheme(...oauth),
  },
  {
    path: 'refreshAheadSec',
    label: 'Renew ahead',
    help: 'How many seconds before its expiry a token is renewed, by default 60.',
    widget: 'number',
    when: whenScheme(...oauth),
  },
  {
    path: 'refreshOn',
    label: 'Renew on',
    help: 'The statuses of a response after which the token is renewed and the call repeated once, by default 401.',
    widget: 'json',
    when: whenScheme(...oauth),
  },
]
