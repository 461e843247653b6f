/**
 * Stands in the functions' bundles for the SDK's chain of credential sources: Lambda gives its role's in the environment, and the chain's
 * other sources (profiles, sign-on, instance metadata) would be an eighth of a bundle.
 */
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = process.env;
  if (!accessKeyId || !secretAccessKey) throw new Error("no credentials in the environment: this bundle runs in Lambda, which sets them");
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
};
