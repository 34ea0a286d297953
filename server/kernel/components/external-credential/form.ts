// Form of an external credential; the scheme decides its parameters.
import type { FormDescriptor } from '../form.ts'

const on = (...schemes: string[]) => ({ path: 'scheme', in: schemes })
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
          help: 'How a call proves who it comes from.',
          widget: 'select',
          required: true,
          options: [
            { value: 'oauth2_client_credentials', label: 'OAuth 2: client credentials' },
            {
              value: 'oauth2_authorization_code',
              label: 'OAuth 2: authorisation code',
              help: 'Each person gives consent.',
            },
            { value: 'oauth2_jwt_bearer', label: 'OAuth 2: signed assertion' },
            { value: 'mtls', label: 'Client certificate' },
            { value: 'aws_sigv4', label: 'AWS signature, version 4' },
            { value: 'api_key', label: 'API key' },
            { value: 'basic', label: 'User name and password' },
            { value: 'custom', label: 'Headers and parameters of its own' },
          ],
        },
        {
          path: 'authorizationUrl',
          label: 'Consent address',
          help: 'Where a person is sent to give consent.',
          widget: 'text',
          required: true,
          when: on('oauth2_authorization_code'),
        },
        {
          path: 'tokenUrl',
          label: 'Token address',
          help: 'Where access tokens are fetched.',
          widget: 'text',
          required: true,
          when: on(...oauth),
        },
        {
          path: 'scopes',
          label: 'OAuth scopes',
          help: 'What the token should allow.',
          widget: 'list',
          when: on(...oauth),
        },
        {
          path: 'audience',
          label: 'Audience',
          help: 'Whom the token is for, where the server asks for it.',
          widget: 'text',
          when: on(...oauth),
        },
        {
          path: 'clientAuthentication',
          label: 'Client proof',
          help: 'Where the client’s id and secret are sent.',
          widget: 'select',
          options: [
            { value: 'basic', label: 'In a header' },
            { value: 'body', label: 'In the body' },
          ],
          when: on('oauth2_client_credentials', 'oauth2_authorization_code'),
        },
        {
          path: 'subject',
          label: 'Subject',
          help: 'On whose behalf the assertion is made.',
          widget: 'text',
          when: on('oauth2_jwt_bearer'),
        },
        {
          path: 'algorithm',
          label: 'Signature',
          help: 'The algorithm that the assertion is signed with.',
          widget: 'select',
          options: ['RS256', 'PS256', 'ES256', 'EdDSA'].map((value) => ({ value, label: value })),
          when: on('oauth2_jwt_bearer'),
        },
        {
          path: 'region',
          label: 'Region',
          help: 'For example eu-central-1.',
          widget: 'text',
          required: true,
          when: on('aws_sigv4'),
        },
        {
          path: 'service',
          label: 'Service',
          help: 'For example execute-api.',
          widget: 'text',
          required: true,
          when: on('aws_sigv4'),
        },
        {
          path: 'in',
          label: 'Sent as',
          help: 'Where the key is put.',
          widget: 'select',
          options: places,
          when: on('api_key'),
        },
        {
          path: 'name',
          label: 'Name',
          help: 'Of the header or parameter.',
          widget: 'text',
          placeholder: 'X-API-Key',
          when: on('api_key'),
        },
        {
          path: 'prefix',
          label: 'Prefix',
          help: 'Written before the key, with its space.',
          widget: 'text',
          when: on('api_key'),
        },
        {
          path: 'parameters',
          label: 'Headers and parameters',
          help: 'Each takes its value from the credential store, under its name.',
          widget: 'grid',
          required: true,
          when: on('custom'),
          fields: [
            {
              path: 'in',
              label: 'Sent as',
              help: 'Where the value is put.',
              widget: 'select',
              options: places,
            },
            {
              path: 'name',
              label: 'Name',
              help: 'Of the header or parameter, and of the value in the store.',
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
          help: 'The identities that calls are made as. Their secrets are written to the store and never read back.',
          widget: 'grid',
          required: true,
          fields: [
            { path: 'key', label: 'Key', help: 'The name of the identity.', widget: 'text', required: true },
            {
              path: 'mode',
              label: 'Mode',
              help: 'One identity for all, or one for each person.',
              widget: 'select',
              options: [
                { value: 'named', label: 'Shared' },
                { value: 'per_user', label: 'One for each person' },
              ],
            },
            {
              path: 'grantedTo',
              label: 'Granted to',
              help: 'Permission sets whose holders may call as it.',
              widget: 'references',
              refTypes: ['permission_set'],
            },
          ],
        },
      ],
    },
  ],
}
