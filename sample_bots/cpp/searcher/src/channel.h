// How the arena is dialled: credentials, proxy, keepalive; and which refusals are final.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

#include "options.h"

namespace euchre {

std::shared_ptr<grpc::Channel> dial(const Options& options);

// Whether trying again would not help.
bool is_final(const grpc::Status& status);

// The name of a status, in words.
std::string name_of(grpc::StatusCode code);

}  // namespace euchre
