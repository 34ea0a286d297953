// Form of an external credential; the scheme decides its parameters.
import type { FormDescriptor } from '../form.ts'

const whenScheme = (...schemes: string[]) => ({ path: 'scheme', in: schemes })
const oauth = ['oauth2_client_credentials', 'oauth2_authorization_code', 'oauth2_jwt_bearer']
const places = [
  { value: 'header', label: 'Header' },
  { value: 'query', label: 'Query parameter' },
]

export const externalCredentialForm: FormDescriptor = {
  sections: [
    {
      title: 'Scheme',
      fields: [
        {
          path: 'scheme',
          label: 'Scheme',
          help: 'How calls authenticate.',
          widget: 'select',
          required: true,
          options: [
            { value: 'oauth2_client_credentials', label: 'OAuth 2: client credentials' },
            {
              value: 'oauth2_authorization_code',
              label: 'OAuth 2: authorisation code',
              help: 'Each user gives consent.',
            },
            { value: 'oauth2_jwt_bearer', label: 'OAuth 2: signed assertion' },
            { value: 'mtls', label: 'Client certificate' },
            { value: 'aws_sigv4', label: 'AWS signature, version 4' },
            { value: 'api_key', label: 'API key' },
            { value: 'basic', label: 'User name and password' },
            { value: 'custom', label: 'Custom headers and parameters' },
          ],
        },
        {
          path: 'authorizationUrl',
          label: 'Consent URL',
          help: 'The page where a user gives consent.',
          widget: 'text',
          required: true,
          when: whenScheme('oauth2_authorization_code'),
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
          path: 'scopes',
          label: 'OAuth scopes',
          help: 'The scopes to request for the token.',
          widget: 'list',
          when: whenScheme(...oauth),
        },
        {
          path: 'audience',
          label: 'Audience',
          help: 'The intended recipient of the token, if the server requires it.',
          widget: 'text',
          when: whenScheme(...oauth),
        },
        {
          path: 'clientAuthentication',
          label: 'Client authentication',
          help: 'Where the id and secret of the client are sent.',
          widget: 'select',
          options: [
            { value: 'basic', label: 'In a header' },
            { value: 'body', label: 'In the body' },
          ],
          when: whenScheme('oauth2_client_credentials', 'oauth2_authorization_code'),
        },
        {
          path: 'subject',
          label: 'Subject',
          help: 'The user or client that the assertion is for.',
          widget: 'text',
          when: whenScheme('oauth2_jwt_bearer'),
        },
        {
          path: 'algorithm',
          label: 'Signature',
          help: 'The algorithm that signs the assertion.',
          widget: 'select',
          options: ['RS256', 'PS256', 'ES256', 'EdDSA'].map((value) => ({ value, label: value })),
          when: whenScheme('oauth2_jwt_bearer'),
        },
        {
          path: 'region',
          label: 'Region',
          help: 'For example eu-central-1.',
          widget: 'text',
          required: true,
          when: whenScheme('aws_sigv4'),
        },
        {
          path: 'service',
          label: 'Service',
          help: 'For example execute-api.',
          widget: 'text',
          required: true,
          when: whenScheme('aws_sigv4'),
        },
        {
          path: 'in',
          label: 'Sent as',
          help: 'Where the key is sent.',
          widget: 'select',
          options: places,
          when: whenScheme('api_key'),
        },
        {
          path: 'name',
          label: 'Name',
          help: 'The name of the header or parameter.',
          widget: 'text',
          placeholder: 'X-API-Key',
          when: whenScheme('api_key'),
        },
        {
          path: 'prefix',
          label: 'Prefix',
          help: 'Text before the key, including the space.',
          widget: 'text',
          when: whenScheme('api_key'),
        },
        {
          path: 'parameters',
          label: 'Headers and parameters',
          help: 'The value of each comes from the credential store, under its name.',
          widget: 'grid',
          required: true,
          when: whenScheme('custom'),
          fields: [
            {
              path: 'in',
              label: 'Sent as',
              help: 'Where the value is sent.',
              widget: 'select',
              options: places,
            },
            {
              path: 'name',
              label: 'Name',
              help: 'The name of the header or parameter, and of the value in the store.',
              widget: 'text',
              required: true,
            },
          ],
        },
      ],
    },
    {
      title: 'Principals',
      fields: [
        {
          path: 'principals',
          label: 'Principals',
          help: 'The identities that calls can use. Their secrets are written to the store and cannot be read back.',
          widget: 'grid',
          required: true,
          fields: [
            { path: 'key', label: 'Key', help: 'The name of the identity.', widget: 'text', required: true },
            {
              path: 'mode',
              label: 'Mode',
              help: 'One identity for all users, or one for each user.',
              widget: 'select',
              options: [
                { value: 'named', label: 'Shared' },
                { value: 'per_user', label: 'One for each user' },
              ],
            },
            {
              path: 'grantedTo',
              label: 'Granted to',
              help: 'Permission sets whose holders can use this identity.',
              widget: 'references',
              refTypes: ['permission_set'],
            },
          ],
        },
      ],
    },
  ],
}
