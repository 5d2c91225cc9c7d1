// Pages of a server of several campaigns: logout deletes all docs of all campaigns in the browser.

import { KeptDocs } from "./reading/kept_docs.js";
import { forgetPages } from "./reading/kept_page.js";

const form = document.getElementById("logout");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await Promise.allSettled([forgetPages({ everywhere: true }), KeptDocs.forget()]);
  form.submit();
});
